import { useState } from 'react'
import { Link, useFetcher, useNavigate } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import type { FormResult } from '~/ui/form/form-result'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import { copyOutcomes, copyText } from '~/ui/share-button'
import { type CertificateText, certificateMessages, linkedInUrl } from './certificate-messages'
import type { HolderView } from './certificate-queries.server'
import { getInitials } from './certificate-rules'

const inlineLink = 'font-medium underline underline-offset-2'

/**
 * The part of a certificate's page that only the holder sees. It lets the holder choose how much of
 * the name is public, correct the name, and share the certificate.
 */
export function HolderPanel({ holder, text }: { holder: HolderView; text: CertificateText }) {
  const pagePath = `/Certificate/${text.number}`
  const fetcher = useFetcher<FormResult>()
  // The checkbox changes before the response arrives. Until then, the stored value would undo the
  // change.
  const [chosenValue, setChosenValue] = useState<boolean | null>(null)
  const isIdle = fetcher.state === 'idle'
  const hasFailed = isIdle && fetcher.data?.done === false
  const hasSaved = isIdle && fetcher.data !== undefined && !hasFailed
  const showsName = getDisplayedChoice(holder.showsName, chosenValue, hasFailed)

  function saveChoice(isChecked: boolean) {
    setChosenValue(isChecked)
    fetcher.submit({ showsName: isChecked ? 'yes' : 'no' }, { method: 'post', action: pagePath })
  }

  return (
    <section aria-labelledby="yours" className="card mt-10 p-5 sm:p-8 print:hidden">
      <h2 id="yours" className="font-bold text-xl">
        This certificate is yours
      </h2>
      <p className="mt-2 max-w-2xl text-muted">
        Only people with the link can find this page. Only you can see this section.
      </p>
      <fetcher.Form method="post" action={pagePath} className="mt-5">
        <label className="flex min-h-11 cursor-pointer items-start gap-3">
          <input
            type="checkbox"
            checked={showsName}
            onChange={({ target }) => saveChoice(target.checked)}
            className="mt-1 size-5 shrink-0 accent-accent"
          />
          <span>
            <span className="block font-semibold">Show my full name</span>
            <span className="text-muted">{describePublicName(holder.name, showsName)}</span>
          </span>
        </label>
      </fetcher.Form>
      <NameCorrection holder={holder} text={text} />
      <div className="mt-5 flex flex-wrap gap-3">
        <CopyLinkButton url={text.url} />
        {text.status === 'valid' && (
          <a
            href={linkedInUrl(text)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center rounded-control px-5 font-semibold text-ink no-underline hover:bg-sunken"
          >
            Add to LinkedIn
          </a>
        )}
      </div>
      <p role="status" className="sr-only">
        {hasSaved ? certificateMessages.choiceSaved : ''}
      </p>
      {hasFailed && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {certificateMessages.choiceNotSaved}
        </p>
      )}
    </section>
  )
}

/**
 * Returns whether the checkbox is ticked. If the chosen value could not be stored, the checkbox
 * returns to the other value.
 */
function getDisplayedChoice(
  storedValue: boolean,
  chosenValue: boolean | null,
  hasFailed: boolean,
): boolean {
  if (chosenValue === null) {
    return storedValue
  }

  return hasFailed ? !chosenValue : chosenValue
}

function describePublicName(fullName: string, showsFullName: boolean): string {
  return showsFullName
    ? `The page, PDF and Open Badge show ‘${fullName}’.`
    : `The page, PDF and Open Badge show only ‘${getInitials(fullName)}’.`
}

function NameCorrection({ holder, text }: { holder: HolderView; text: CertificateText }) {
  const { name, currentName } = holder
  const canReissue = holder.canReissue && text.status === 'valid'
  if (name !== currentName) {
    return canReissue ? (
      <ReissueForm holder={holder} number={text.number} />
    ) : (
      <Notice variant="info" className="mt-5 max-w-2xl">
        {certificateMessages.nameCorrection.ask(name, currentName)}
      </Notice>
    )
  }

  const describeCorrection = canReissue
    ? certificateMessages.nameCorrection.reissueLater
    : certificateMessages.nameCorrection.askLater

  return (
    <p className="mt-4 max-w-2xl text-muted">
      {describeCorrection((linkText) => (
        <Link to="/Profile/settings" className={inlineLink}>
          {linkText}
        </Link>
      ))}
    </p>
  )
}

/** Reissues the certificate in the holder's current name, and opens the new one. */
function ReissueForm({ holder, number }: { holder: HolderView; number: string }) {
  const navigate = useNavigate()
  const form = useForm<{ nextUrl: string }>({
    onSuccess: ({ nextUrl }) => navigate(nextUrl),
    shouldRevalidate: false,
  })

  return (
    <Form
      form={form}
      hiddenValues={{ intent: 'reissue' }}
      action={`/Certificate/${number}`}
      className="mt-5 grid max-w-2xl justify-items-start gap-3"
    >
      <Notice variant="info">
        {certificateMessages.nameCorrection.reissue(holder.name, holder.currentName)}
      </Notice>
      <Button type="submit" variant="secondary" disabled={form.isBusy}>
        {form.isBusy
          ? certificateMessages.nameCorrection.buttonBusy
          : certificateMessages.nameCorrection.button}
      </Button>
      {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
    </Form>
  )
}

function CopyLinkButton({ url }: { url: string }) {
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  const copyLink = async () => setIsCopied(await copyText(url))

  return (
    <div className="flex items-center gap-3">
      <Button variant="secondary" onClick={copyLink}>
        Copy link
      </Button>
      <span role="status" className={`font-medium ${isCopied ? 'text-good' : 'text-bad'}`}>
        {isCopied === true && copyOutcomes.copied}
        {isCopied === false && copyOutcomes.refused}
      </span>
    </div>
  )
}
