// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows the document of the page as text.

const text = document.createElement("pre");
text.textContent = JSON.stringify(JSON.parse(document.getElementById("data").textContent), null, 2);
document.body.append(text);
