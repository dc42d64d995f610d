// npm run drill -- <name> [arguments]: a fault or an attack against the real processes, with figures. All traffic goes
// to loopback, and every drill ends after a time of its own.
const DRILLS: Record<string, () => Promise<unknown>> = {
  attacks: () => import('#bench/drills/attacks.ts'),
  kills: () => import('#bench/drills/kills.ts'),
};

export {};

const [name = '', ...args] = process.argv.slice(2);
const drill = DRILLS[name];
if (drill) {
  process.argv.splice(2, process.argv.length, ...args);
  await drill();
} else {
  console.error(`Say which drill to run: ${Object.keys(DRILLS).join(', ')}.`);
  process.exitCode = 1;
}
