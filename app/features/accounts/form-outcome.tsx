import { CircleAlert, CircleCheck } from 'lucide-react'

/** Inside a form: the copy of the banner's error, or good news. The banner alone is announced, so that nothing is said twice. */
export function FormOutcome({
  error,
  notice,
}: {
  error: string | null | undefined
  notice: string | null | undefined
}) {
  return (
    <>
      {error && (
        <p className="flex gap-2.5 rounded-control bg-bad-soft px-4 py-3 font-medium text-bad">
          <CircleAlert aria-hidden="true" size={20} className="mt-0.5 shrink-0" />
          {error}
        </p>
      )}
      <div role="status" className={notice ? undefined : 'sr-only'}>
        {notice && (
          <p className="flex gap-2.5 rounded-control bg-good-soft px-4 py-3 font-medium text-good">
            <CircleCheck aria-hidden="true" size={20} className="mt-0.5 shrink-0" />
            {notice}
          </p>
        )}
      </div>
    </>
  )
}
