/** What the guide calls things and where they are. */
export type Names = { serviceName: string; platformName: string; baseUrl: string; apiBase: string };
