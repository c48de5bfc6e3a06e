// An end that the one who called can mend: wrong words on the command line (status 2), something missing here (3).

export class Stop extends Error {
  constructor(message, status = 2) {
    super(message);
    this.status = status;
  }
}

// stopping(main): runs it; the status it gives, or that of the Stop it threw, becomes the program's.
export async function stopping(name, main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`${name}: ${error.message}`);
    process.exitCode = error.status;
  }
}
