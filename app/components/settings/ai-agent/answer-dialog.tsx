'use client';

import { deleteAnswer, restoreAnswer, saveAnswer } from '#app/components/settings/ai-agent/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { TextAreaField, TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { toastOutcome, useAction } from '#app/components/ui/use-action.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { SavedAnswerView } from '#server/screens/settings/channel-views.ts';

export type AnswerLimits = { question: number; answer: number };

type Props = { saved?: SavedAnswerView; limits: AnswerLimits };

/** Adds a saved answer, or edits the given one. */
export function AnswerDialog({ saved, limits }: Props) {
  return (
    <Dialog
      trigger={
        saved ? (
          <Button variant="quiet" aria-label={`Edit: ${saved.question}`}>
            Edit
          </Button>
        ) : (
          <Button variant="primary" className="max-md:w-full">
            Add answer
          </Button>
        )
      }
      title={saved ? 'Edit answer' : 'Add answer'}
      description="Contacts receive the answer word for word."
    >
      {(close) => <AnswerForm saved={saved} limits={limits} close={close} />}
    </Dialog>
  );
}

type FormProps = { saved: SavedAnswerView | undefined; limits: AnswerLimits; close: () => void };

function AnswerForm({ saved, limits, close }: FormProps) {
  const [state, submit, pending] = useFormAction(saveAnswer.bind(null, saved?.id ?? null), () => {
    toast.success(saved ? 'Answer saved' : 'Answer added');
    close();
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <TextField
        state={state}
        name="question"
        label="Question"
        hint={`In a contact’s words. At most ${limits.question.toLocaleString('en')} characters.`}
        placeholder="Where is my order?"
        defaultValue={saved?.question}
        autoComplete="off"
      />
      <TextAreaField
        state={state}
        name="answer"
        label="Answer"
        hint={`At most ${limits.answer.toLocaleString('en')} characters.`}
        rows={7}
        defaultValue={saved?.answer}
      />
      <Field
        label="Then set the conversation to"
        hint="The conversation reopens if the contact writes again."
      >
        {({ id, describedBy }) => (
          <span className="w-44 max-md:w-full">
            <Select
              id={id}
              name="nextStatus"
              aria-describedby={describedBy}
              defaultValue={saved?.nextStatus ?? 'pending'}
            >
              <option value="pending">Pending</option>
              <option value="solved">Solved</option>
            </Select>
          </span>
        )}
      </Field>
      <FormFooter onCancel={close} submit={saved ? 'Save' : 'Add answer'} busy="Saving" pending={pending} />
    </ActionForm>
  );
}

/** Deletes a saved answer immediately. The toast offers Undo. */
export function DeleteAnswerButton({ saved }: { saved: SavedAnswerView }) {
  const restore = () =>
    toastOutcome(restoreAnswer(saved), { failed: 'Could not restore the answer', done: 'Answer restored' });
  const { pending, start } = useAction(deleteAnswer, {
    failed: 'Could not delete the answer',
    done: () => ({ title: 'Answer deleted', description: saved.question, undo: restore }),
  });
  return (
    <Button
      variant="quiet"
      aria-label={`Delete: ${saved.question}`}
      aria-busy={pending}
      onClick={() => start(saved.id)}
    >
      {pending ? 'Deleting' : 'Delete'}
    </Button>
  );
}
