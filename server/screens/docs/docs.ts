import { API_PATH, settings } from '#server/core/env.ts';
import { reference } from '#server/screens/docs/reference.ts';
import { publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';

/** The documentation, which anyone may read. */
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
