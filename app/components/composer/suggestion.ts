/** Something offered while typing. */
export type Suggestion = {
  key: string;
  title: string;
  hint: string;
  /** What takes the place of what was typed; or what happens instead. */
  choice: { completion: string } | { run: () => void };
};

/** What is offered for what is being typed, under which name; nothing when `all` is empty. */
export type Suggestions = { name: string; all: Suggestion[] };
