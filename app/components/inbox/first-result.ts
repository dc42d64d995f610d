/** Action on the first row of a list. */
type Act = 'open' | 'focus';

/** The list that is loading, and what happens once its rows are shown. */
let wanted: { path: string; act: Act } | null = null;

/** Opens or focuses the first row of the list at `path`, now or as soon as the list is shown. */
export function goToFirstResult(path: string, act: Act): void {
  wanted = { path, act };
  goToWanted();
}

export function forgetFirstResult(): void {
  wanted = null;
}

/** Opens or focuses the wanted row if its list is shown. Called after each change of the list. */
export function goToWanted(): void {
  const list = document.querySelector<HTMLElement>('[data-conversation-list]');
  if (!wanted || list?.dataset.conversationList !== wanted.path || list.ariaBusy === 'true') return;
  const row = list.querySelector<HTMLElement>('[data-conversation]');
  const { act } = wanted;
  wanted = null;
  row?.focus();
  if (act === 'open') row?.click();
}
