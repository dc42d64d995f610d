import { findProgram, type WantedProgram } from '#scripts/tools/find-program.ts';

/** Programs that run the examples of the documentation. */
const WANTED: Record<'python' | 'go' | 'php', WantedProgram> = {
  python: { debianPackage: 'python3', setting: 'PYTHON_PATH' },
  go: { debianPackage: 'golang-go', setting: 'GO_PATH', names: ['go'], versionArgument: 'version' },
  php: { debianPackage: 'php-cli', setting: 'PHP_PATH', names: ['php'] },
};

/** Returns the path of a program; undefined if it cannot be found, which is then printed. */
export async function findExampleProgram(name: keyof typeof WANTED): Promise<string | undefined> {
  const wanted = WANTED[name];
  const found = await findProgram(wanted, say);
  if (found === undefined) {
    say(`SKIPPED: ${wanted.debianPackage} is not installed and could not be. Its example is NOT tested.`);
    say(`Install ${wanted.debianPackage}, or set ${wanted.setting}, and run the tests again.`);
  }
  return found;
}

function say(text: string): void {
  console.log(text);
}
