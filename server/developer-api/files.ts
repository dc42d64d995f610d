import { z } from 'zod';
import { textField } from '#server/contract/record-schemas.ts';
import { developer, developerProcedure } from '#server/developer-api/procedures.ts';
import { DRAFT_FILE_MS, type StoredFile } from '#server/inbox/files/store-file.ts';
import { referToUploaded } from '#server/inbox/files/uploaded-file.ts';

const uploadSchema = z
  .object({
    id: textField('What a reply names in `attachment_ids`: a text of up to 4,000 characters.'),
    name: textField('The file name, without characters that are unsafe in one.'),
    content_type: textField(
      'The media type. `application/octet-stream` for types that are not on the list of safe ones.',
    ),
    size_bytes: z.int().min(1).meta({ description: 'The size in bytes.' }),
  })
  .meta({
    id: 'Upload',
    description: 'A file that a reply can name within seven days.',
    examples: [
      {
        id: 'eyJpZCI6IjAxYTRkN2YwLTVlNmYtNzA4MS05MmEzLWI0YzVkNmU3ZjgwOSJ9.q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA',
        name: 'invoice.pdf',
        content_type: 'application/pdf',
        size_bytes: 48213,
      },
    ],
  });

/** The HTTP handler stores the file of the form and passes it: no part of a request becomes this value. */
const storedFile = z
  .custom<StoredFile>((file) => file !== undefined)
  .meta({
    description: 'The file, at most 10 MB.',
    examples: ['The bytes of invoice.pdf'],
    override: { type: 'string', format: 'binary' },
  });

export const fileProcedures = developer.router({
  upload: developerProcedure('write_conversations', {
    method: 'POST',
    path: '/files',
    operationId: 'uploadFile',
    tags: ['Messages'],
    summary: 'Upload a file',
    description:
      'Stores a file for a reply: a form (`multipart/form-data`) with one file and nothing else. `attachment_ids` of one reply can ' +
      'name it within seven days; afterwards it is deleted. Under an `Idempotency-Key` the same file with the same name counts as the ' +
      'same body.',
    contentTypes: ['multipart/form-data'],
    errorResponses: {
      413: 'The file is larger than 10 MB.',
      422: 'The body is no form with one file, the file is empty, or the file storage of the workspace is full.',
    },
  })
    .input(z.object({ file: storedFile }))
    .output(uploadSchema)
    .mutation(({ ctx: { program, transact }, input: { file } }) =>
      transact(async (tx) => {
        // Until now it is deleted after an hour, so that nothing of a refused or repeated call stays.
        const expiresAt = new Date(Date.now() + DRAFT_FILE_MS);
        await tx.storedFile.update({ where: { id: file.id }, data: { expiresAt } });
        return {
          id: referToUploaded(program.workspace.id, file),
          name: file.name,
          content_type: file.contentType,
          size_bytes: file.sizeBytes,
        };
      }),
    ),
});
