/**
 * Runs `npm ci` in a folder unless what is installed is what its package-lock.json asks for.
 * @param label what the line of its progress begins with
 */
export function installPackages(projectDir: string, label?: string): Promise<void>;
