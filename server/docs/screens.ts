import { reference } from '#server/docs/reference.ts';
import { API_PATH, settings } from '#server/env.ts';
import { publicScreenProcedure, screenRouter } from '#server/trpc.ts';

/** The documentation, which anybody may read. */
export const docsScreens = screenRouter({
  /** The reference, and the addresses that its examples call. */
  read: publicScreenProcedure.query(() => {
    const { BASE_URL, SERVICE_NAME, PLATFORM_NAME } = settings();
    return {
      reference,
      baseUrl: BASE_URL,
      apiBase: `${BASE_URL}${API_PATH}`,
      serviceName: SERVICE_NAME,
      platformName: PLATFORM_NAME,
    };
  }),
});
