/** What an update is about is not there yet: it is tried again, as updates may overtake what they are about. */
export class NotYet extends Error {
  constructor(what: string) {
    super(`${what} is not there yet.`);
    this.name = 'NotYet';
  }
}
