import { API_PATH, DEVELOPER_API_PATH } from '#server/core/env.ts';

export type ApiResponse = { status: number; headers: Headers; body: unknown };

export type Api = ReturnType<typeof apiClient>;

/** Returns a client of the developer API. */
export function developerClient(url: string, token: string): Api {
  return apiClient(url, token, DEVELOPER_API_PATH);
}

/** Returns a client of the automation API that sends requests unchanged and returns the responses. */
export function apiClient(url: string, accessToken: string, basePath = API_PATH) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> => {
    const response = await fetch(`${url}${basePath}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
}
