import { Notice } from '~/ui/notice'

/**
 * Inside a form: the copy of the banner's error, good news, or that it is sent again by itself. Of an error the banner alone is
 * announced, so that nothing is said twice.
 */
export function FormOutcome({
  error,
  notice,
  waiting,
}: {
  error: string | null | undefined
  notice: string | null | undefined
  waiting?: string
}) {
  return (
    <>
      {error && (
        <Notice look="bad" silent>
          {error}
        </Notice>
      )}
      <div role="status" className={notice || waiting ? undefined : 'sr-only'}>
        {waiting && <Notice look="info">{waiting}</Notice>}
        {notice && (
          <Notice look="good" silent>
            {notice}
          </Notice>
        )}
      </div>
    </>
  )
}
