import '#server/http/create-http-server.ts';
import '#server/http/get-ready.ts';
import '#worker/start-worker.ts';

// A process that loads what servers and workers are made of, and ends: what it compiled is in the compile cache then.
process.exit();
