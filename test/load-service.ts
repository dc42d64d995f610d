import '#server/http/create-http-server.ts';
import '#server/http/get-ready.ts';
import '#worker/start-worker.ts';

// Loads the modules of servers and workers and exits, which fills the compile cache.
process.exit();
