/** Whether a text has the form of an id that Meta gives to numbers, pages, accounts and files. */
export function isMetaId(text: string): boolean {
  return /^\d{1,40}$/.test(text);
}
