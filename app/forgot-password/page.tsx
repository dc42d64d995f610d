import type { Metadata } from 'next';
import { AuthCard } from '#app/components/ui/auth-card.tsx';
import { ForgotPasswordForm } from '#app/forgot-password/forgot-password-form.tsx';
import { pageContext } from '#server/doors/http/page-context.ts';

export const metadata: Metadata = { title: 'Forgot password' };

export default function ForgotPasswordPage() {
  return (
    <AuthCard>
      <ForgotPasswordForm serviceName={pageContext().serviceName} />
    </AuthCard>
  );
}
