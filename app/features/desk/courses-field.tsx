import { Field } from '~/ui/form/field'

/** The largest number of courses that get a checkbox. A form may have 200 fields in all. */
export const maxCourseCheckboxes = 150

type CoursesFieldProps = {
  legend: string
  hint: string
  /** The courses that get a checkbox, at most `maxCourseCheckboxes`. */
  courses: readonly { id: string; title: string }[]
}

/**
 * Shows fields that choose courses. If there may be more courses than checkboxes, a text field
 * takes the IDs of the others. The form sends the ID of each checked course as `courses`, and the
 * IDs from the text field as one more value, separated by spaces.
 */
export function CoursesField({ legend, hint, courses }: CoursesFieldProps) {
  const mayHaveMoreCourses = courses.length === maxCourseCheckboxes

  return (
    <>
      {courses.length > 0 && (
        <fieldset>
          <legend className="mb-1.5 font-medium">{legend}</legend>
          <div className="max-h-60 overflow-y-auto rounded-control border border-edge px-3.5 py-1.5">
            {courses.map(({ id, title }) => (
              <label key={id} className="flex min-h-11 items-center gap-3 [overflow-wrap:anywhere]">
                <input
                  type="checkbox"
                  name="courses"
                  value={id}
                  className="size-5 shrink-0 accent-accent"
                />
                {title}
              </label>
            ))}
          </div>
          <p className="mt-1.5 text-muted text-sm">{hint}</p>
        </fieldset>
      )}
      {mayHaveMoreCourses && (
        <Field
          label="More courses (their IDs)"
          name="courses"
          autoComplete="off"
          hint="Separate several with spaces."
        />
      )}
    </>
  )
}
