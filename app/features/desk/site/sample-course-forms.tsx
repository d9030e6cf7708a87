import { byCount } from '~/ui/format-count'
import { ActionForm } from '../desk-forms'

type SampleCourseFormsProps = { published: number; withdrawn: number }

/** Shows the forms that withdraw the sample courses and that publish them again. */
export function SampleCourseForms({ published, withdrawn }: SampleCourseFormsProps) {
  return (
    <div className="card grid gap-4 p-5">
      <p className="text-muted">
        {byCount(
          published,
          '1 sample course is published. ',
          `${published} sample courses are published. `,
        )}
        A withdrawn course is in no list, and nobody can enroll in it. Learners who have it keep it.
      </p>
      <div className="flex flex-wrap gap-3">
        {published > 0 && (
          <ActionForm
            intent="withdrawSamples"
            buttonText="Withdraw the sample courses"
            hiddenValues={{ sure: 'on' }}
          />
        )}
        {withdrawn > 0 && (
          <ActionForm
            intent="restoreSamples"
            buttonText="Show the sample courses again"
            hiddenValues={{ sure: 'on' }}
          />
        )}
      </div>
    </div>
  )
}
