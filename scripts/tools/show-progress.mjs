const LABEL_WIDTH = 20;

/**
 * Shows a step that takes a while: one line that changes on a terminal, a line now and then elsewhere, and in
 * the end a line with its time.
 */
export function showProgress(label, describe) {
  const started = performance.now();
  const terminal = process.stdout.isTTY;
  const show = (text, end) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const line = `  ${label.padEnd(LABEL_WIDTH)} ${text.padEnd(44)} ${seconds.padStart(6)} s`;
    process.stdout.write(terminal ? `\r\u001b[K${line}${end ? '\n' : ''}` : `${line}\n`);
  };
  const timer = setInterval(() => show(describe(), false), terminal ? 500 : 15_000);
  if (terminal) show(describe(), false);
  const finish = (text) => {
    clearInterval(timer);
    show(text, true);
  };
  return { done: finish, failed: () => finish('failed') };
}
