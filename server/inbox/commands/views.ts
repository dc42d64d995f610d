/** Who listens: how many workflows, and the teammates through whose connections, by name. */
export type Listeners = { workflows: number; teammates: string[] };

/** What may be typed as a command in a workspace. */
export type ListenedCommands = {
  /** The commands that a live hook listens for, by name, each once. */
  commands: ({ name: string } & Listeners)[];
  /** Those that listen for every command, so that any name may be typed; null when none does. */
  any: Listeners | null;
};
