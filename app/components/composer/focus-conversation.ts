/** Moves the focus from the text box to the messages, where letters are shortcuts and arrow keys scroll. */
export function focusConversation(): void {
  document.querySelector<HTMLElement>('[data-opened] [data-messages]')?.focus({ preventScroll: true });
}
