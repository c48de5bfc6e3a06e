// An error that the user can correct: a usage error (status 2), or something missing on this machine (3).

export class Stop extends Error {
  constructor(message, status = 2) {
    super(message);
    this.status = status;
  }
}

// stopping(main): runs main. Its status, or that of the Stop that it throws, becomes the program's.
export async function stopping(name, main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`${name}: ${error.message}`);
    process.exitCode = error.status;
  }
}
