import type { Metadata } from 'next';
import { CentredCard } from '#app/components/ui/centred-card.tsx';
import { ForgotPasswordForm } from '#app/forgot-password/forgot-password-form.tsx';
import { pageContext } from '#server/page-context.ts';

export const metadata: Metadata = { title: 'Forgot password' };

export default function ForgotPasswordPage() {
  return (
    <CentredCard>
      <ForgotPasswordForm serviceName={pageContext().serviceName} />
    </CentredCard>
  );
}
