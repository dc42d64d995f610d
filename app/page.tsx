import { redirect } from 'next/navigation';

/** The service opens with the inbox. */
export default function HomePage(): never {
  redirect('/inbox');
}
