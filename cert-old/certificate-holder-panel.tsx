import { useState } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '~/ui/button'
import type { FormResult } from '~/ui/form/form-result'
import { copyOutcomes, copyText } from '~/ui/share-button'
import { choiceNotSaved, choiceSaved, namesShown } from './certificate-messages'
import type { HolderView } from './certificate-queries.server'
import { type CertificateText, initialsOf, linkedInAddress } from './certificate-text'

/** The holder's own part of the public page: how much of the name is shown, and sharing. */
export function CertificateHolderPanel({
  holder,
  text,
}: {
  holder: HolderView
  text: CertificateText
}) {
  const page = `/Certificate/${text.number}`
  const choice = useFetcher<FormResult>()
  // The checkbox changes at once; the fetcher's state arrives later and would flip it back
  // meanwhile.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const failed = choice.state === 'idle' && choice.data?.done === false
  const showsName = getShownChoice(holder.showsName, chosen, failed)

  return (
    <section aria-labelledby="yours" className="card mt-10 p-5 sm:p-8 print:hidden">
      <h2 id="yours" className="font-bold text-xl">
        This certificate is yours
      </h2>
      <p className="mt-2 max-w-2xl text-muted">
        Only people with the link can find this page. Only you can see this section.
      </p>
      <choice.Form method="post" action={page} className="mt-5">
        <label className="flex min-h-11 cursor-pointer items-start gap-3">
          <input
            type="checkbox"
            checked={showsName}
            onChange={({ target: { checked } }) => {
              setChosen(checked)
              choice.submit({ showsName: checked ? 'yes' : 'no' }, { method: 'post', action: page })
            }}
            className="mt-1 size-5 shrink-0 accent-accent"
          />
          <span>
            <span className="block font-semibold">Show my full name</span>
            <span className="text-muted">
              {namesShown(showsName ? holder.name : initialsOf(holder.name), showsName)}
            </span>
          </span>
        </label>
      </choice.Form>
      <div className="mt-5 flex flex-wrap gap-3">
        <CopyButton address={text.address} />
        {text.state === 'valid' && (
          <a
            href={linkedInAddress(text)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center rounded-control px-5 font-semibold text-ink no-underline hover:bg-sunken"
          >
            Add to LinkedIn
          </a>
        )}
      </div>
      <p role="status" className="sr-only">
        {choice.data && choice.state === 'idle' && !failed ? choiceSaved : ''}
      </p>
      {failed && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {choiceNotSaved}
        </p>
      )}
    </section>
  )
}

function CopyButton({ address }: { address: string }) {
  const [copied, setCopied] = useState<boolean | null>(null)
  const copy = async () => setCopied(await copyText(address))

  return (
    <div className="flex items-center gap-3">
      <Button variant="secondary" onClick={copy}>
        Copy link
      </Button>
      <span role="status" className={`font-medium ${copied ? 'text-good' : 'text-bad'}`}>
        {copied === true && copyOutcomes.copied}
        {copied === false && copyOutcomes.refused}
      </span>
    </div>
  )
}

/** @param hasFailed whether the chosen value could not be stored */
function getShownChoice(stored: boolean, chosen: boolean | null, hasFailed: boolean): boolean {
  if (chosen === null) {
    return stored
  }

  return hasFailed ? !chosen : chosen
}
