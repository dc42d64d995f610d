declare module '@20minutes/s3rver' {
  import type { ServerResponse } from 'node:http';
  import type { AddressInfo } from 'node:net';

  /** The options and methods that tests use. The package has no types. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      allowMismatchedSignatures: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    /** Middleware of the Koa application. */
    middleware: ((
      call: { method: string; query: Record<string, unknown>; status: number; res: ServerResponse },
      next: () => Promise<void>,
    ) => Promise<void>)[];
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
