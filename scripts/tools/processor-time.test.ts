import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countProcessorTime, processorSeconds } from '#scripts/tools/processor-time.ts';
import { runShell } from '#scripts/tools/run-tool.ts';
import { projectDir } from '#server/core/project.ts';

const run = (script: string) => countProcessorTime(() => runShell(script, projectDir, { env: process.env }));

test.runIf(existsSync('/proc/self/stat'))(
  'the time of a program is counted where it was started',
  async () => {
    // Counts what other test files of this process started.
    await run('true');
    const before = processorSeconds();
    const busy = await run('at=0; while [ $at -lt 500000 ]; do at=$((at + 1)); done; exit 3');
    const idle = await run('true');
    expect(busy.result.code).toBe(3);
    expect(busy.seconds).toBeGreaterThan(idle.seconds);
    expect(processorSeconds() - before).toBeGreaterThanOrEqual(busy.seconds);
  },
);
