import { expect, test } from 'vitest';
import { pastedFiles } from '#app/components/composer/use-enclosures.ts';

const PICTURE = new File(['x'], 'image.png', { type: 'image/png' });

test.each([
  ['a copied picture is a file', ['text/html', 'Files'], [PICTURE]],
  ['a copied file is one, although a file manager adds its name', ['text/plain', 'Files'], [PICTURE]],
  [
    'text of a document or table is text, although the program adds a picture',
    ['text/plain', 'text/html', 'text/rtf', 'Files'],
    [],
  ],
] as const)('%s', (_, types, expected) => {
  const files = [PICTURE] as unknown as FileList;
  expect(pastedFiles({ files, types })).toEqual(expected);
});
