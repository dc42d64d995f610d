import { Button } from '#app/components/ui/button.tsx';

type Given = {
  /** What is edited, as it is called; undefined: something new is made. */
  name: string | undefined;
  /** The verb on the button of something that is there, such as `Edit`, and the words on the one that makes something new. */
  verb: string;
  create: string;
};

/**
 * The button that opens a dialog to make something, or to change what is there: in a list the second says of what it is.
 * An element and no component, as a dialog's trigger takes attributes of its own.
 */
export function newOrEditButton({ name, verb, create }: Given) {
  return name === undefined ? (
    <Button variant="primary">{create}</Button>
  ) : (
    <Button variant="quiet" aria-label={`${verb} ${name}`}>
      {verb}
    </Button>
  );
}
