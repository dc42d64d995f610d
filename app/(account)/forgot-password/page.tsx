import type { Metadata } from 'next';
import { ForgotPasswordForm } from '#app/components/account/password-forms.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { pageContext } from '#server/screens/page-context.ts';

export const metadata: Metadata = { title: 'Forgot password' };

export default function ForgotPasswordPage() {
  return (
    <AuthCard>
      <ForgotPasswordForm serviceName={pageContext().serviceName} />
    </AuthCard>
  );
}
