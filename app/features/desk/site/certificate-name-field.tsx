import { SelectField } from '~/ui/form/field'
import { useSubmittedValues } from '../desk-context'

type CertificateNameFieldProps = { certificateNames: 'school' | 'learners' }

/** Chooses who corrects the name on an issued certificate. */
export function CertificateNameField({ certificateNames }: CertificateNameFieldProps) {
  const submittedValues = useSubmittedValues('certificateNames')

  return (
    <SelectField
      name="certificateNames"
      label="Corrected names"
      hint="A reissued certificate has the learner’s current name and a new number, and the page of the old one leads to it. Learners who reissue certificates themselves can choose any name."
      defaultValue={submittedValues?.certificateNames ?? certificateNames}
    >
      <option value="school">Learners ask the school to reissue a certificate</option>
      <option value="learners">Learners reissue their certificates themselves</option>
    </SelectField>
  )
}
