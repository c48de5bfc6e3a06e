// A page that is a document of its own already, such as slides, or a file that is none.
import { pageAt, theSite } from '../lib/current.js';

export default ({ address }) => pageAt(address)?.html ?? theSite().texts.get(address);
