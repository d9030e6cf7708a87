import { useContext } from 'react'
import { Field, SelectField, TextAreaField } from '~/ui/form/field'
import { DeskContext } from '../desk-context'
import { type AudienceKind, draftLimits } from './announcement-types'

type Draft = {
  courseId: string | null
  audience: string
  awayDays: number | null
  subject: string
  body: string
}
type AnnouncementFieldsProps = {
  draft: Draft
  courses: readonly { id: string; title: string }[]
  /** False for teachers, who can write to their own courses only. */
  canWriteToSchool: boolean
}

const defaultAwayDays = 14

/** The fields of a draft. If the server refuses the form, they show the submitted values. */
export function AnnouncementFields({ draft, courses, canWriteToSchool }: AnnouncementFieldsProps) {
  const { submittedValues = {} } = useContext(DeskContext)
  const courseId = submittedValues.course ?? draft.courseId ?? ''

  return (
    <div className="group grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Learners of" name="course" defaultValue={courseId}>
          {canWriteToSchool && <option value="">The whole school</option>}
          {courses.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Which of them"
          name="audience"
          defaultValue={submittedValues.audience ?? draft.audience}
        >
          {Object.entries(audienceTexts).map(([kind, text]) => (
            <option key={kind} value={kind}>
              {text}
            </option>
          ))}
        </SelectField>
      </div>
      <Field
        label="For how many days"
        name="days"
        type="number"
        inputMode="numeric"
        min={1}
        max={draftLimits.days}
        defaultValue={submittedValues.days ?? draft.awayDays ?? defaultAwayDays}
        className="hidden group-has-[option[value=away]:checked]:block sm:max-w-60"
      />
      <Field
        label="Subject"
        name="subject"
        required
        maxLength={draftLimits.subject}
        autoComplete="off"
        defaultValue={submittedValues.subject ?? draft.subject}
      />
      <TextAreaField
        label="Text"
        name="body"
        required
        maxLength={draftLimits.body}
        defaultValue={submittedValues.body ?? draft.body}
        dir="auto"
        hint="Markdown: **bold**, a list with “- ” before each line, a link as [words](https://…)."
      />
    </div>
  )
}

const audienceTexts: Record<AudienceKind, string> = {
  all: 'All of them',
  unfinished: 'Those who haven’t finished the course',
  away: 'Those who haven’t come for some days',
}
