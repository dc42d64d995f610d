/** Number of saved views that the navigation shows with their counts. The others are folded, and counted once unfolded. */
export const SHOWN_VIEWS = 8;
