/** JSON response of a route. */
export type Reply = { status: number; body: unknown };

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const missing = (what: string): Reply => ({
  status: 404,
  body: { message: `There is no such ${what}.` },
});
