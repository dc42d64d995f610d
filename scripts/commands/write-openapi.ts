import { writeFile } from 'node:fs/promises';
import { projectPath } from '#scripts/tools/project.ts';
import { openApiJson } from '#server/api/openapi/document.ts';

// `npm run openapi`: writes the contract down as it follows from the procedures.
await writeFile(projectPath('openapi.json'), openApiJson);
console.log('openapi.json is written.');
