import { Notice } from '~/ui/notice'

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
        <Notice look="bad" silent>
          {error}
        </Notice>
      )}
      <div role="status" className={notice ? undefined : 'sr-only'}>
        {notice && (
          <Notice look="good" silent>
            {notice}
          </Notice>
        )}
      </div>
    </>
  )
}
