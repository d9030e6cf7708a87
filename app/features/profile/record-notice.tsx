import { Link } from 'react-router'
import { Notice } from '~/ui/notice'
import { recordNotRead } from './profile-messages'

/** The learner's record could not be read; nothing is lost. */
export function RecordNotice() {
  return (
    <Notice look="bad">
      {recordNotRead((words) => (
        <Link to="." reloadDocument className="underline">
          {words}
        </Link>
      ))}
    </Notice>
  )
}
