/** The program cannot start; the message is a sentence for the person who started it. */
export class StartError extends Error {}
