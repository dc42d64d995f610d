import { writeFile } from 'node:fs/promises';
import { openApiJson } from '#server/api/openapi/document.ts';
import { projectPath } from '#server/core/project.ts';

// `npm run openapi`: writes `openapi.json` from the procedures.
await writeFile(projectPath('openapi.json'), openApiJson);
console.log('Wrote openapi.json.');
