import { reference } from '#server/doors/docs/reference.ts';
import { publicScreenProcedure, screenRouter } from '#server/doors/procedures/trpc.ts';
import { API_PATH, settings } from '#server/ground/env.ts';

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
