import { SearchX } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'

export function CertificateNotFound() {
  return (
    <div className="column py-16">
      <h1 className="title mb-8">Certificate not found</h1>
      <EmptyState
        icon={<SearchX size={26} />}
        title="No certificate has this number"
        action={<ButtonLink to="/">Go to the home page</ButtonLink>}
      >
        Check the address for a missing letter. Learnify never issued a certificate with this number, or the link was
        changed on its way.
      </EmptyState>
    </div>
  )
}
