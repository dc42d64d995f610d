import { Button } from '#app/components/ui/button.tsx';

type Options = {
  /** Name of the edited object. Undefined for a new one. */
  name: string | undefined;
  /** Labels: the verb for an existing object, such as `Edit`, and the label for a new one. */
  verb: string;
  create: string;
};

/**
 * Returns the trigger of a create or edit dialog. Returns an element, not a component, because dialog triggers are
 * cloned with extra props.
 */
export function newOrEditButton({ name, verb, create }: Options) {
  return name === undefined ? (
    <Button variant="primary">{create}</Button>
  ) : (
    <Button variant="quiet" aria-label={`${verb} ${name}`}>
      {verb}
    </Button>
  );
}
