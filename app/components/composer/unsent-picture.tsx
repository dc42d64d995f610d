import type { UploadedFile } from '#app/components/drafts/upload-file.ts';
import { TextPicture } from '#app/components/ui/text-picture.tsx';
import { uploadPath } from '#server/screens/inbox/upload-path.ts';

type Props = { files: readonly UploadedFile[]; fileId: string; name: string };

/** A picture in the text of a draft, or of a reply that is not sent yet. */
export function UnsentPicture({ files, fileId, name }: Props) {
  const file = files.find(({ id }) => id === fileId);
  return <TextPicture src={file ? uploadPath(file) : null} name={name} />;
}
