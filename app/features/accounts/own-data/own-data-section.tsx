import { Download } from 'lucide-react'
import { accountErrorMessage } from '../account-errors'
import { DeleteAccountDialog } from './delete-account-dialog'
import type { Ownership } from './deletion-form.server'
import { deletion } from './own-data-messages'

/** Where the archive is downloaded and the account deleted. */
const ownDataAddress = '/OwnData'

type OwnDataSectionProps = {
  uid: string
  ownership: Ownership
  /** Code of a refusal, when the form was sent without scripts. */
  refused: string | null
  onDeleted(): Promise<void>
}

/** Download all data, or delete the account. */
export function OwnDataSection({ uid, ownership, refused, onDeleted }: OwnDataSectionProps) {
  return (
    <section id="own-data" aria-labelledby="own-data-title" className="card mt-6 scroll-mt-24">
      <div className="p-5 sm:p-6">
        <h2 id="own-data-title" className="font-bold text-lg">
          Your data
        </h2>
        <div className="mt-3 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
          <p className="text-muted">
            Download everything Learnify stores about you as a ZIP file: courses, progress, notes, exams, certificates
            and more, as JSON and PDF.
          </p>
          <a
            href={ownDataAddress}
            download
            className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-edge bg-surface px-5 py-2.5 font-semibold text-ink leading-tight no-underline hover:border-ink"
          >
            <Download aria-hidden="true" size={18} /> Download my data
          </a>
        </div>
      </div>
      <div className="border-line border-t p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Delete my account</h3>
        <div className="mt-2 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
          <p className="text-muted">{ownership.demo ? deletion.demo : deletion.means}</p>
          {!ownership.demo && <DeleteAccountDialog {...{ uid, ownership, onDeleted }} />}
        </div>
        {refused && (
          <p role="alert" className="mt-4 font-medium text-bad">
            {deletion.nothingDeleted} {accountErrorMessage(refused)}
          </p>
        )}
      </div>
    </section>
  )
}
