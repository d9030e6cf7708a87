/**
 * The forms of a person's page at the desk: for their courses, their certificates and their
 * account. The hidden field `intent` of each form says which action the server performs.
 */
import { Field, SelectField } from '~/ui/form/field'
import { CollapsedActionForm } from '../desk-forms'
import { Section } from '../desk-parts'
import type { PersonPageData } from './person-page.server'

type CourseFormsProps = Pick<PersonPageData, 'courses' | 'offeredCourses'>

/** Shows the forms that enroll a person, give exam attempts back, and remove the person again. */
export function CourseForms({ courses, offeredCourses }: CourseFormsProps) {
  const enrolledIds = new Set(courses.map(({ courseId }) => courseId))
  const otherCourses = offeredCourses.filter(({ id }) => !enrolledIds.has(id))

  return (
    <div className="mt-4 grid items-start gap-3 lg:grid-cols-3">
      {otherCourses.length > 0 && (
        <CollapsedActionForm
          title="Enroll in a course"
          intent="enroll"
          buttonText="Enroll"
          variant="primary"
        >
          <SelectField label="Course" name="course">
            {otherCourses.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
        </CollapsedActionForm>
      )}
      {courses.length > 0 && (
        <>
          <CollapsedActionForm
            title="Give exam attempts back"
            intent="reset-attempts"
            buttonText="Give back"
          >
            <p className="text-muted">
              The exam can be taken again right away. Earlier results stay.
            </p>
            <CourseField courses={courses} />
          </CollapsedActionForm>
          <CollapsedActionForm
            title="Remove from a course"
            intent="remove"
            buttonText="Remove"
            variant="danger"
          >
            <p className="text-muted">
              The learner’s work is kept, and counts again after enrolling again.
            </p>
            <CourseField courses={courses} />
          </CollapsedActionForm>
        </>
      )}
    </div>
  )
}

function CourseField({ courses }: Pick<PersonPageData, 'courses'>) {
  return (
    <SelectField label="Course" name="course">
      {courses.map(({ courseId, title }) => (
        <option key={courseId} value={courseId}>
          {title}
        </option>
      ))}
    </SelectField>
  )
}

/** Shows the forms that issue a certificate again, and revoke it. */
export function CertificateForms({ courses }: Pick<PersonPageData, 'courses'>) {
  const certificates = courses.flatMap(({ certificate, title }) =>
    certificate ? [{ ...certificate, title }] : [],
  )
  if (certificates.length === 0) {
    return null
  }

  const certificateField = (
    <SelectField label="Certificate" name="certificate">
      {certificates.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </SelectField>
  )

  return (
    <Section title="Certificates">
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <CollapsedActionForm
          title="Issue again in the current name"
          intent="reissue"
          buttonText="Issue again"
        >
          <p className="text-muted">The old certificate is revoked in favor of the new one.</p>
          {certificateField}
        </CollapsedActionForm>
        <CollapsedActionForm
          title="Revoke a certificate"
          intent="revoke"
          buttonText="Revoke"
          variant="danger"
        >
          {certificateField}
          <Field
            label="Reason"
            name="reason"
            maxLength={500}
            required
            hint="The certificate’s page shows it."
          />
        </CollapsedActionForm>
      </div>
    </Section>
  )
}

type AccountFormsProps = {
  person: PersonPageData['person']
  hasTwoStep: boolean
  /** Social accounts and single sign-on, which staff can remove. */
  providers: PersonPageData['providers']
  /** Whether the account is the member of staff's own. */
  isOwnAccount: boolean
}

/** Shows the forms that change an account. */
export function AccountForms({ person, hasTwoStep, providers, isOwnAccount }: AccountFormsProps) {
  return (
    <Section title="Account">
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <CollapsedActionForm
          title="Send an email again"
          intent="resend"
          buttonText="Send"
          variant="primary"
        >
          <SelectField label="Email" name="email">
            <option value="reset">A link to set a new password</option>
            {!person.isConfirmed && (
              <>
                <option value="confirmation">A link to confirm the address</option>
                <option value="welcome">The welcome</option>
                <option value="invitation">The invitation</option>
              </>
            )}
          </SelectField>
        </CollapsedActionForm>
        <CollapsedActionForm
          title="Forget wrong passwords"
          intent="unlock"
          buttonText="Forget them"
        >
          <p className="text-muted">
            Everything that was counted against the account is forgotten.
          </p>
        </CollapsedActionForm>
        <CollapsedActionForm
          title="Change the email address"
          intent="change-email"
          buttonText="Change"
        >
          <p className="text-muted">
            Make sure it’s the learner who asks: whoever reads the new address can set a new
            password.
          </p>
          <Field label="New email address" name="email" type="email" required autoComplete="off" />
        </CollapsedActionForm>
        <CollapsedActionForm
          title="Sign out everywhere"
          intent="end-sessions"
          buttonText="Sign out"
        >
          <p className="text-muted">Every browser is signed out. The account can sign in again.</p>
        </CollapsedActionForm>
        {providers.length > 0 && (
          <CollapsedActionForm
            title="Remove a sign-in method"
            intent="remove-way"
            buttonText="Remove"
            variant="danger"
          >
            <p className="text-muted">
              For a person who gets a new identity at a provider. The account is signed out
              everywhere, and the learner gets an email.
            </p>
            <SelectField label="Sign-in method" name="way">
              {providers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          </CollapsedActionForm>
        )}
        {hasTwoStep && !isOwnAccount && (
          <CollapsedActionForm
            title="Turn two-step sign-in off"
            intent="turn-off-two-step"
            buttonText="Turn it off"
            variant="danger"
          >
            <p className="text-muted">
              For a learner who lost phone and recovery codes. The account is signed out everywhere,
              and the learner gets an email.
            </p>
            <Field
              label="Reason"
              name="reason"
              maxLength={500}
              required
              hint="How you know that it’s the learner. It stays in the audit."
            />
          </CollapsedActionForm>
        )}
        {person.isDisabled ? (
          <CollapsedActionForm title="Enable the account" intent="enable" buttonText="Enable">
            <p className="text-muted">The account can sign in again.</p>
          </CollapsedActionForm>
        ) : (
          !isOwnAccount && (
            <CollapsedActionForm
              title="Disable the account"
              intent="disable"
              buttonText="Disable"
              variant="danger"
            >
              <p className="text-muted">
                It is signed out everywhere and can’t sign in. Nothing is deleted.
              </p>
            </CollapsedActionForm>
          )
        )}
        {!isOwnAccount && (
          <CollapsedActionForm
            title="Delete the account"
            intent="delete"
            buttonText="Delete for good"
            variant="danger"
          >
            <p className="text-muted">
              Everything of this learner is deleted. This can’t be undone.
            </p>
            <Field
              label={`To confirm, type ${person.email}`}
              name="confirmation"
              type="email"
              required
              autoComplete="off"
            />
          </CollapsedActionForm>
        )}
      </div>
    </Section>
  )
}
