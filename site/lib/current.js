// The site that is being built, for the layouts: Eleventy hands them copies of data, and a page's model should not be copied.
let site = null;
export const setSite = (made) => { site = made; };
export const theSite = () => site;
export const pageAt = (address) => site.pages.get(address);
