/** Loads `report-presence.ts`, which no page needs before it is interactive. */
const load = () => import('#app/components/live/report-presence.ts');

/** Forwards calls in their order, once the module is loaded. */
export const presenceReporter = {
  /** Reports a conversation as open until the returned function is called. */
  open: (conversationId: string): (() => void) => {
    const opened = load().then(({ reportOpen }) => reportOpen(conversationId));
    return () => void opened.then((close) => close());
  },
  /** Reports that the user types, or no longer does. */
  typing: (isTyping: boolean): void => {
    void load().then(({ reportTyping, reportTypingEnd }) => (isTyping ? reportTyping() : reportTypingEnd()));
  },
  /** Follows the live stream of this page. Null: it is closed. */
  connected: (page: string | null): void => {
    void load().then(({ reportTo }) => reportTo(page));
  },
};
