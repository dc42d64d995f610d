type Choice = { id: string; name: string };

/** Adds the current value to the choices of a select, which shows the first choice if its value is not among them. */
export function withCurrent(choices: Choice[], current: Choice | null): Choice[] {
  return current && !choices.some(({ id }) => id === current.id) ? [...choices, current] : choices;
}
