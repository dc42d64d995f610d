import type { PostedForm } from '#server/screens/consent/views.ts';

/** What a form of the page posts back besides the decision. */
export function HiddenFields({ fields }: Pick<PostedForm, 'fields'>) {
  return fields.map(({ name, value }) => <input key={name} type="hidden" name={name} value={value} />);
}
