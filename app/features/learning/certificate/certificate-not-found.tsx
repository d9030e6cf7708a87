import { NotFoundPage } from '~/ui/not-found-page'

export function CertificateNotFound() {
  return (
    <NotFoundPage
      heading="Certificate not found"
      title="No certificate has this number"
      way={{ to: '/', text: 'Go to the home page' }}
    >
      Check the address for a missing letter. Learnify never issued a certificate with this number, or the link was
      changed on its way.
    </NotFoundPage>
  )
}
