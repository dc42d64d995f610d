import { writeFile } from 'node:fs/promises';
import { openApiJson } from '#server/api/openapi/document.ts';
import { projectPath } from '#server/core/project.ts';
import { developerJson } from '#server/developer-api/openapi/document.ts';

// `npm run openapi`: writes the documents of both APIs from their procedures.
await writeFile(projectPath('openapi.json'), openApiJson);
await writeFile(projectPath('openapi-developer.json'), developerJson);
console.log('Wrote openapi.json and openapi-developer.json.');
