import { Link } from 'react-router'
import { Notice } from '~/ui/notice'

/** The learner's record could not be read; nothing is lost. */
export function RecordNotice() {
  return (
    <Notice look="bad">
      We couldn’t load your learning record. Nothing is lost.{' '}
      <Link to="." reloadDocument className="underline">
        Try again
      </Link>
    </Notice>
  )
}
